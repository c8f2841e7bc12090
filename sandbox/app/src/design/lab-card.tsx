import type { ReactNode } from 'react'

/** One experiment: what it is, and the control that starts it. */
export function LabCard({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="soft">{text}</p>
      </div>
      {children}
    </li>
  )
}
