export const path: string =
  'M5 5l4-1 1 2h4l1-2 4 1c2 4 3 8 3 12-2 2-4 2-5 3l-1-3H8l-1 3c-1-1-3-1-5-3 0-4 1-8 3-12zm3 5v4h3v-4zm5 0v4h3v-4z'
