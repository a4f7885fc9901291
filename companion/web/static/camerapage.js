// The camera page beside its picture: what is broken, as every page says it.

import { showAlerts } from "./alerts.js";
import { follow } from "./live.js";

follow({ state: showAlerts });
