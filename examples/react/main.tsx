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
      <h1>Repayments</h1>
      <button type="button" onClick={() => setLanguage(language === 'en' ? 'sw' : 'en')}>
        {language === 'en' ? 'Kiswahili' : 'English'}
      </button>
      <ul aria-label="Done">
        {done.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <mkopo-after-loan-repayment-management
        fetchToken={fetchToken}
        language={language}
        accent="blue"
        onmkopo-action={({ detail }) => setDone(lines => [...lines, `${detail.action} ${detail.ids.join(', ')}`])}
      />
    </>
  )
}

const place = document.getElementById('app')
if (place) createRoot(place).render(<App />)
