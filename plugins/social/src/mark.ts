/** Name of our parameter in the URL of a page that the user returns to. A file of its own, because it loads with the page. */
export const MARK = 'keybay_social'
