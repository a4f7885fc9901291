// “Show on another phone”: the page's address as a QR code and in words.

import { html } from "./draw.js";
import { get } from "./live.js";
import { capital } from "./words.js";

// Opens the dialog of share.html when the button is pressed, with the address as it is then.
export function offerSharing(button, dialog) {
  const body = dialog.querySelector("#share-body");
  button.addEventListener("click", async () => {
    dialog.showModal();
    body.replaceChildren(...(await told(dialog.dataset.note)));
  });
}

async function told(note) {
  const { phone, name, text } = await get("/api/address").catch(({ message }) => ({ text: capital(message) }));
  return phone ? shown(phone, name, note) : [html("p", { class: "share-none" }, text)];
}

function shown(phone, name, note) {
  return [
    html("img", { class: "share-code", src: `/qr.svg?${Date.now()}`, alt: `QR code of ${phone}`, width: 264, height: 264 }),
    html("p", { class: "share-address" }, html("a", { href: phone }, bare(phone)), name ? html("span", {}, " or ") : null, name ? html("a", { href: name }, bare(name)) : null),
    html("p", { class: "note" }, note),
  ];
}

const bare = (address) => address.replace(/^http:\/\/|\/$/g, "");
