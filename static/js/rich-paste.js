// Pasted lists and tables: the plain text of a clipboard has lost them, so the server reads its HTML.

import { textOfFile } from "./text-of-file.js";

const LISTS_AND_TABLES = /<(?:table|ul|ol|li)[\s>]/i;
/** The plain text stays if the text that was read from the HTML has fewer letters than this share of it. */
const LEAST_SHARE = 0.95;

/**
 * The plain text is pasted at once. The text with lists and tables replaces it, unless it was edited meanwhile.
 *
 * @param {HTMLTextAreaElement} field
 * @param {(plain: string) => void} onReplaced Called with the content that the field had with the plain text.
 */
export function connectRichPaste(field, onReplaced = () => {}) {
  field.addEventListener("paste", async ({ clipboardData }) => {
    const html = clipboardData?.getData("text/html") ?? "";
    if (!LISTS_AND_TABLES.test(html)) return;
    const plain = clipboardData.getData("text/plain").replaceAll(/\r\n?/g, "\n");
    const start = field.selectionStart;
    const end = start + plain.length;
    const read = await textOfFile(new File([html], "pasted.html", { type: "text/html" }));
    if (!read?.words || letters(read.words) < LEAST_SHARE * letters(plain)) return;
    if (field.value.slice(start, end) !== plain) return;
    const before = field.value;
    field.setRangeText(read.words, start, end, field.selectionStart === end ? "end" : "preserve");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    onReplaced(before);
  });
}

function letters(text) {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
