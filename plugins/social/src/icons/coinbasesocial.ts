export const path: string =
  'M12 2a10 10 0 100 20 10 10 0 000-20zm0 5a5 5 0 014.9 4h-2.6a2.5 2.5 0 100 2h2.6A5 5 0 1112 7z'
