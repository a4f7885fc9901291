// The pages write no sentences: they show the table's.

// Starts a sentence with a capital, but never the name of a square.
export const capital = (text) => (/^.\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));
