import { expect, it } from 'vitest'
import { accounts } from '../../core/rules/ledger/accounts.ts'
import { postings } from '../../core/rules/ledger/postings.ts'
import { ledgerDoc } from './ledger-doc.ts'

it('the description of the ledger is that of its declaration', async () => {
  await expect(ledgerDoc()).toMatchFileSnapshot('../../docs/ledger.md')
})

it('describes every posting and every account in a row', () => {
  const rows = ledgerDoc()
    .split('\n')
    .filter(line => line.startsWith('| '))
  for (const code of Object.keys(postings))
    expect(
      rows.filter(row => row.startsWith(`| ${code} |`)),
      code,
    ).toHaveLength(1)
  for (const kind of Object.keys(accounts))
    expect(
      rows.filter(row => row.startsWith(`| \`${kind}:`) || row.startsWith(`| \`${kind}\` |`)),
      kind,
    ).toHaveLength(1)
  expect(rows.every(row => !row.includes('undefined'))).toBe(true)
})
