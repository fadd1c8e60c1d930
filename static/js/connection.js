// One message for a server that cannot be reached, whatever was asked of it.

import { gettext } from "./words.js";

export const UNREACHABLE = gettext("The server cannot be reached; nothing was saved. Try again in a moment.");

const banner = document.createElement("p");
banner.className = "offline";
banner.setAttribute("role", "alert");

/** Say it at the foot of the page until the connection is back. */
export function sayUnreachable() {
  banner.textContent = UNREACHABLE;
  if (!banner.isConnected) document.body.append(banner);
}

export function sayReachable() {
  banner.remove();
}
