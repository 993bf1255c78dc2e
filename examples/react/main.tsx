import 'mkopo/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

/** One function for all elements of the page: they share its answer. */
const fetchToken = async () => {
  const answer = await fetch('/token/react', { method: 'POST' })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.text()
}

const App = () => {
  const [done, setDone] = useState<string[]>([])
  const [language, setLanguage] = useState<'en' | 'sw'>('en')
  return (
    <>
      <header className="own">
        <h1>Repayments</h1>
        <p>Receipts of the day, and the orders they belong to.</p>
        <button type="button" onClick={() => setLanguage(language === 'en' ? 'sw' : 'en')}>
          {language === 'en' ? 'Kiswahili' : 'English'}
        </button>
      </header>
      <section className="card">
        <mkopo-after-loan-repayment-management
          fetchToken={fetchToken}
          language={language}
          accent="blue"
          onmkopo-action={({ detail }) => setDone(lines => [...lines, `${detail.action} ${detail.ids.join(', ')}`])}
        />
      </section>
      <section className="card">
        <h2>Done on this page</h2>
        <ul className="log" aria-label="Done">
          {done.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </>
  )
}

const place = document.getElementById('app')
if (place) createRoot(place).render(<App />)
