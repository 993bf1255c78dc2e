import 'mkopo/vue'
import type { GlobalComponents } from 'vue'

/** What the template of a single-file component hands to a tag, as its compiler checks it. */
type Given<T extends keyof GlobalComponents> = InstanceType<GlobalComponents[T]>['$props']

export const audits: Given<'mkopo-audit-my-audit'> = {
  class: 'wide',
  language: 'sw',
  accent: 'blue',
  urlState: 'audits',
  filters: { orderStatus: ['auditing'] },
  fetchToken: async () => 'an embed token',
  onMkopoRowOpen: ({ detail }) => void detail.id.length,
  onMkopoTokenExpired: event => void (event.detail.reason === 'revoked'),
}
export const phone: Given<'mkopo-phone'> = { masked: '25********89', value: null, onMkopoReveal: event => event.detail }

// @ts-expect-error: no such accent
export const pink: Given<'mkopo-audit-my-audit'> = { accent: 'pink' }
// @ts-expect-error: no such event detail
export const speedy: Given<'mkopo-audit-my-audit'> = { onMkopoReady: event => event.detail.speed }
// @ts-expect-error: no such element
export type Nowhere = Given<'mkopo-audit-your-audit'>
