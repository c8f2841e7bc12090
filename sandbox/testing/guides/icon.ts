/** A data URL, which needs no request: at most a few hundred bytes. */
export const ICON: `data:image/svg+xml;base64,${string}` =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0IiBmaWxsPSIjMDdhIi8+PC9zdmc+'
