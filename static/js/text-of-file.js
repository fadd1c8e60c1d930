// The server reads a file, and answers with its text. Nothing is stored.

const box = document.getElementById("text-file");

/**
 * @param {File} file
 * @returns {Promise<{ words: string } | { refusal: string } | null>} null if the server does not answer, or not now.
 */
export async function textOfFile(file) {
  const body = new FormData();
  body.append("text_file", file);
  const token = document.querySelector("#check-form [name=csrfmiddlewaretoken]").value;
  try {
    const headers = { "HX-Request": "true", "X-CSRFToken": token };
    const answer = await fetch(box.dataset.readUrl, { method: "POST", headers, body });
    const words = await answer.text();
    if (answer.status === 422) return { refusal: words };
    return answer.ok ? { words } : null;
  } catch {
    return null;
  }
}
