declare module 'virtual:entry' {
  export const App: (props: import('./page.js').AppProps) => import('react').ReactNode
}
