import { expect, it } from 'vitest'
import { isExternalLink } from './external-link.ts'

it.each([
  ['https://crm.example/today?list=calls', true],
  ['http://127.0.0.1:8090/crm/', true],
  ['http://localhost:8090/', true],
  ['http://crm.example/', false],
  ['http://localhost.crm.example/', false],
  ['https://user:secret@crm.example/', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//crm.example', false],
  ['crm.example', false],
])('%s leads out: %s', (address, leads) => expect(isExternalLink(address)).toBe(leads))
