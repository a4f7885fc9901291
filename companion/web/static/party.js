// A small celebration: the winner's piece chases pellets across the board.

import { html, piece, portrait, svg } from "./draw.js";

const FRIGHTENED = { shape: "ghost", colour: "#2b3cff", title: " " };

export function celebrate(stage, winner, { text, note }, close) {
  const chase = svg("svg", { viewBox: "0 0 200 40", class: "chase", "aria-hidden": "true" });
  for (let n = 0; n < 9; n++) chase.append(svg("circle", { class: "crumb", cx: 16 + n * 21, cy: 20, r: 2.6 }));
  const runners = svg("g", { class: "runners" });
  const ghosts = winner.shape === "ball" ? [0, 1, 2] : [];
  for (const n of ghosts) runners.append(svg("g", { transform: `translate(${34 + n * 24} 20)` }, piece(FRIGHTENED, 9)));
  runners.append(svg("g", { transform: "translate(0 20)" }, piece(winner, 12)));
  chase.append(runners);
  const sparks = html("div", { class: "sparks", "aria-hidden": "true" });
  for (let n = 0; n < 28; n++) {
    const spark = html("i");
    spark.style.setProperty("--x", `${Math.random() * 100}%`);
    spark.style.setProperty("--late", `${Math.random() * 1.6}s`);
    spark.style.setProperty("--hue", ["#ffd800", "#ff5c6c", "#ff9ecb", "#18c8e0", "#ff9020", "#5a74ff"][n % 6]);
    sparks.append(spark);
  }
  stage.replaceChildren(
    sparks,
    html(
      "div",
      { class: "party-card" },
      portrait(winner),
      html("strong", {}, `${text}!`),
      html("span", {}, note),
      chase,
      html("button", { class: "button", onclick: close }, "Show the board"),
    ),
  );
  stage.hidden = false;
}
