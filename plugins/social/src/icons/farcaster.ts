export const path: string = 'M4 3h16v3h2v2h-1v11h1v2h-6v-2h1v-5a5 5 0 00-10 0v5h1v2H2v-2h1V8H2V6h2z'
