/** Our parameter in the address of a page that comes back. In the page's first chunk, by itself: what uses it loads later. */
export const MARK = 'keybay_social'
