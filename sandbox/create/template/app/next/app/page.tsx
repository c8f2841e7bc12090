import { App } from './client'

export default function Page() {
  return <App />
}
