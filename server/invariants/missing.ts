/** A rule that cannot be asked yet, and what the database lacks for it: a table, or a column called `table.column`. */
export type Missing = { name: string; rule: string } & ({ table: RegExp } | { column: RegExp })

/** Rules of the specification that wait for their tables. */
export const missingInvariants: readonly Missing[] = [
  { name: 'V20a', rule: 'what is reserved of a credit limit is what is missing of it', table: /reservation/ },
  {
    name: 'V21',
    rule: 'an order, or a bill, has one open case with one holder',
    table: /^(collection_|stage_)?case(_|$)/,
  },
  {
    name: 'V28',
    rule: 'sealed and masked copies of personal data, and their search keys, are of the same value',
    column: /^customer\..*_(hash|sealed|masked|search)$/,
  },
]
