// Things that can be broken on the simulated table, and mended again.
import { html } from "./draw.js";
import { get } from "./live.js";

export class Faults {
  // `ask` posts to the service; `form` holds the choice, the button and the list of what is broken.
  constructor(form, ask) {
    this.ask = ask;
    this.choice = form.querySelector("select");
    this.broken = form.querySelector(".broken");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.set(this.choice.value, true);
    });
    this.refresh();
  }

  async set(name, on) {
    await this.ask("/api/sim/fault", { name, on });
    await this.refresh();
  }

  async refresh() {
    await get("/api/sim/faults").then(({ faults }) => this.show(faults), () => {});
  }

  show(faults) {
    const chosen = this.choice.value;
    const groups = new Map();
    for (const fault of faults.filter(({ on }) => !on)) {
      if (!groups.has(fault.device)) groups.set(fault.device, html("optgroup", { label: fault.device }));
      groups.get(fault.device).append(html("option", { value: fault.name }, fault.about));
    }
    this.choice.replaceChildren(...groups.values());
    if (faults.some(({ name, on }) => name === chosen && !on)) this.choice.value = chosen;
    this.broken.replaceChildren(
      ...faults.filter(({ on }) => on).map(({ name, about }) => {
        const onclick = () => this.set(name, false);
        return html("button", { type: "button", class: "button mend", onclick }, `Mend: ${about}`);
      }),
    );
  }
}
