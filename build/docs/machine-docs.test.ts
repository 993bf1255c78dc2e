import fs from 'node:fs'
import { expect, it } from 'vitest'
import { systems } from '../../core/rules/machines/all-machines.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import { machineDocs } from './machine-docs.ts'

const pages = machineDocs()
const sectionOf = (page: string, id: string) =>
  (pages.get(page) as string).split('\n## ').find(one => one.includes(`${id} `))

it('shows a machine as a diagram and as a table with rights and commands', () => {
  expect(sectionOf('machines/schedule.md', 'M72')).toBe(`<a id="m72"></a>M72 Leave application (start and end time)

\`leave\`, \`leave_status\` of \`leave_apply\`. \`pending\` waits · \`approved\` good · \`rejected\` bad, for good · \`cancelled\` ended.

\`\`\`mermaid
stateDiagram-v2
  [*] --> pending: leave.apply
  pending --> approved: leave.audit
  pending --> rejected: leave.audit
  pending --> cancelled: leave.cancel
  approved --> cancelled: leave.cancel
  rejected --> [*]
  cancelled --> [*]
\`\`\`

| event | from | to | right | command |
|---|---|---|---|---|
| \`leave.apply\` (own) | none | \`pending\` | one’s own | \`/user/leave/apply\` |
| \`leave.apply\` (phoned) | none | \`pending\` | \`schedule:leave:audit\` | \`/user/leave/apply\` |
| \`leave.audit\` (approve) | \`pending\` | \`approved\` | \`schedule:leave:audit\` | \`/user/leave/audit\` |
| \`leave.audit\` (reject) | \`pending\` | \`rejected\` | \`schedule:leave:audit\` | \`/user/leave/audit\` |
| \`leave.cancel\` | \`pending\`, \`approved\` | \`cancelled\` | one’s own | \`/user/leave/cancel\` |
`)
})

it('says which rows refuse, stay, and return to where they came from', () => {
  const order = sectionOf('machines/order.md', 'M10')
  expect(order).toContain('| `retrieval.revert` | `funds_disbursed` | unchanged | `order:salvage:submit` |')
  expect(order).toContain('| the one before (`M12.statusBefore`) |')
  expect(sectionOf('machines/after-loan.md', 'M20')).toContain(
    '| `code.cancel` | `remitting`, `unknown` | always refused |',
  )
})

it('names every machine in the index, with a link to where it is', () => {
  const index = pages.get('machines.md') as string
  for (const [system, own] of Object.entries(systems))
    for (const { id, title } of Object.values<Machine>(own)) {
      expect(index).toContain(`| ${id} | [${title}](machines/${system}.md#${id.toLowerCase()}) |`)
      expect(pages.get(`machines/${system}.md`)).toContain(`<a id="${id.toLowerCase()}"></a>${id} ${title}`)
    }
})

it('has been written since the last change of a machine', () => {
  const files = ['machines.md', ...fs.readdirSync('docs/machines').map(file => `machines/${file}`)]
  expect(files.sort()).toEqual([...pages.keys()].sort())
  for (const [file, text] of pages) expect(fs.readFileSync(`docs/${file}`, 'utf8'), file).toBe(text)
})
