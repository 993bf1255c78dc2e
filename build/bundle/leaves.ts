/** What the manifest says of a field: `attribute` where it can be written in HTML. */
export type Field = {
  name: string
  type: string
  summary: string
  attribute: boolean
  values?: readonly string[]
}
export type Leaf = {
  tag: string
  summary: string
  fields: readonly Field[]
  events: Readonly<Record<string, { summary: string; detail: string }>>
}

const value = (summary: string): Field => ({ name: 'value', type: 'string', summary, attribute: true })
const language: Field = {
  name: 'language',
  type: 'string',
  values: ['zh', 'en', 'sw'],
  summary: 'Else the nearest lang attribute, else zh.',
  attribute: true,
}

/** The small elements, which the registry does not list. */
export const leaves: readonly Leaf[] = [
  { tag: 'mkopo-toast', summary: 'The region of short messages; one for the whole page.', fields: [], events: {} },
  {
    tag: 'mkopo-loading',
    summary: 'A thin bar while active; short waits show nothing.',
    fields: [{ name: 'active', type: 'boolean', summary: 'Something is awaited.', attribute: true }],
    events: {},
  },
  { tag: 'mkopo-copy', summary: 'Copies its value.', fields: [value('What is copied.'), language], events: {} },
  {
    tag: 'mkopo-phone',
    summary: 'A masked number with show and copy.',
    fields: [
      { name: 'masked', type: 'string', summary: 'The number as anybody may see it.', attribute: true },
      {
        ...value('The full number, once the server has given it; shown and copied.'),
        type: 'string | null',
        attribute: false,
      },
      { name: 'locked', type: 'boolean', summary: 'The person may not see it: no button.', attribute: true },
      language,
    ],
    events: {
      'mkopo-reveal': { summary: 'The full number is wanted: set it as the property value.', detail: 'null' },
    },
  },
]
