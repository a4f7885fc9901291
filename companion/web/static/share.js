// “Show on another phone”: the page's address as a QR code and in words.

import { html } from "./draw.js";
import { get } from "./live.js";
import { capital } from "./words.js";

// Opens the dialog of share.html when the button is pressed, with the address as it is then.
export function offerSharing(button, dialog) {
  const body = dialog.querySelector("#share-body");
  button.addEventListener("click", async () => {
    dialog.showModal();
    body.replaceChildren(...(await told("pairing" in dialog.dataset)));
  });
}

async function told(pairing) {
  const { phone, name, text } = await get("/api/address").catch(({ message }) => ({ text: capital(message) }));
  return phone ? shown(phone, name, pairing) : [html("p", { class: "share-none" }, text)];
}

function shown(phone, name, pairing) {
  const code = pairing ? " It only watches until the code shown at the table is entered." : "";
  return [
    html("img", { class: "share-code", src: `/qr.svg?${Date.now()}`, alt: `QR code of ${phone}`, width: 264, height: 264 }),
    html("p", { class: "share-address" }, html("a", { href: phone }, bare(phone)), name ? html("span", {}, " or ") : null, name ? html("a", { href: name }, bare(name)) : null),
    html("p", { class: "note" }, `Point the other phone’s camera at it. It must be in the same network.${code}`),
  ];
}

const bare = (address) => address.replace(/^http:\/\/|\/$/g, "");
