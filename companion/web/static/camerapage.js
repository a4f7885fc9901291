// The camera page beside its picture: what is broken, as every page says it.

import { Alerts } from "./alerts.js";
import { Live } from "./live.js";

const alerts = new Alerts(document.getElementById("alerts"));
const first = JSON.parse(document.body.dataset.state);
if (first) alerts.render(first);
new Live({ state: (state) => alerts.render(state) }, (good) => (document.getElementById("lost").hidden = good));
