import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

async function start(root: HTMLElement) {
  // The window that a social provider returns to does not load the app. // if social
  if (location.pathname.startsWith('/auth/social/')) return import('./social-return') // if social
  const { App } = await import('./app')
  if (import.meta.env.DEV) await import('./sandbox-wallet') // if wallet-standard
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root) start(root)
