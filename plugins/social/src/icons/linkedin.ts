export const path: string =
  'M2 2h20v20H2zm3 7v10h3V9zm1.5-4.5a1.7 1.7 0 100 3.4 1.7 1.7 0 000-3.4zM10 9v10h3v-5.5c0-2.5 3-2.5 3 0V19h3v-6c0-5-5-5-6-2.5V9z'
