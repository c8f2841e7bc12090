export const path: string = 'M2 3h6l5 6.5L18.5 3H21l-6.8 8L22 21h-6l-5-6.7L5 21H2.5l7.2-8.4zm3.5 2l11 14h2l-11-14z'
