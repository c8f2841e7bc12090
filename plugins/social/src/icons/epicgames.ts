export const path: string = 'M4 2h16v16l-8 4-8-4zm5 4v10h6v-2h-4v-2h3v-2h-3V8h4V6z'
