// One message for an unreachable server, for every kind of request.

import { gettext } from "./words.js";

export const UNREACHABLE = gettext("The server cannot be reached; nothing was saved. Try again in a moment.");

const banner = document.createElement("p");
banner.className = "offline";
banner.setAttribute("role", "alert");

/** Show the message at the bottom of the page until the connection is back. */
export function sayUnreachable() {
  banner.textContent = UNREACHABLE;
  if (!banner.isConnected) document.body.append(banner);
}

export function sayReachable() {
  banner.remove();
}
