/** Writes the addresses of this run into the meta elements of the one HTML page. */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, sign => escapes[sign] ?? sign)
}

/**
 * Fills the meta elements of the page.
 * @param html the built index.html
 * @param meta name of the meta element → its content
 * @throws Error when the page lacks an element, so that a rename does not go unnoticed
 */
export function withMeta(html: string, meta: Readonly<Record<string, string>>): string {
  return Object.entries(meta).reduce((page, [name, content]) => {
    const element = new RegExp(`(<meta name="${name}" content=")[^"]*(")`)
    if (!element.test(page)) throw new Error(`The built page has no <meta name="${name}">.`)
    return page.replace(element, (_, before, after) => `${before}${escapeHtml(content)}${after}`)
  }, html)
}

/** Leaves the home page out of the shell that a browser shows before the app's code. */
export function withoutHomePage(html: string): string {
  return html.replace(/<main>.*<\/main>/s, '<main></main>')
}
