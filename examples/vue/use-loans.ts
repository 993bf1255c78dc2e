import 'mkopo'
import type { MkopoElements, MkopoEvents } from 'mkopo'
import { reactive, useTemplateRef } from 'vue'

/** What the template binds: a token comes from the partner's own back end, one function for the whole page. */
export const useLoans = () => ({
  loans: useTemplateRef<MkopoElements['mkopo-after-loan-loan-management']>('loans'),
  lines: reactive<string[]>([]),
  fetchToken: async () => {
    const answer = await fetch('/token/vue', { method: 'POST' })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.text()
  },
})

export const onAction = ({ detail }: CustomEvent<MkopoEvents['mkopo-action']>): string =>
  `${detail.action} ${detail.ids.join(', ')}: ${detail.outcome}`
