import { commonFields, typeOf } from '../../build/bundle/manifest.ts'
import { codes } from '../../core/contract/codes.ts'
import { routes } from '../../core/contract/routes.ts'
import { aboutEvents } from '../../core/element/about.ts'
import { cancelable, type EventName } from '../../core/element/events.ts'
import { kebab } from '../../core/element/properties.ts'
import { text } from '../../core/i18n/server.ts'

const Table = ({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) => (
  <table>
    <thead>
      <tr>
        {head.map(name => (
          <th key={name}>{name}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([first, ...rest]) => (
        <tr key={first}>
          <td>
            <code>{first}</code>
          </td>
          {rest.map((cell, at) => (
            <td key={head[at + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

/** Attributes of every element. Each is a property too, in camelCase. */
export const Attributes = () => (
  <Table
    head={['attribute', 'values', 'what it does']}
    rows={commonFields
      .filter(field => field.attribute)
      .map(field => [kebab(field.name), field.values?.join(', ') ?? field.type, field.summary])}
  />
)

/** What only a property can carry. */
export const Properties = () => (
  <Table
    head={['property', 'type', 'what it does']}
    rows={commonFields.filter(field => !field.attribute).map(field => [field.name, typeOf(field), field.summary])}
  />
)

/** Events of every element; all bubble and cross shadow roots. */
export const Events = () => (
  <Table
    head={['event', 'default may be prevented', 'when']}
    rows={Object.entries(aboutEvents).map(([name, when]) => [
      name,
      cancelable.includes(name as EventName) ? 'yes' : '–',
      when,
    ])}
  />
)

/** The codes of answers, as the contract has them. */
export const Codes = () => (
  <Table head={['code', 'name']} rows={Object.entries(codes).map(([name, code]) => [String(code), name])} />
)

/** Every element that a token can be made for, with the codes of its page. */
export const Elements = () => (
  <Table
    head={['element', 'what it is', 'codes']}
    rows={routes
      .filter(({ tag }) => tag !== 'mkopo-portal-login')
      .map(({ tag, perm, actions }) => [
        tag,
        text('en', `screens.${tag}` as Parameters<typeof text>[1]),
        [...(perm ? [perm] : []), ...actions].join(', '),
      ])}
  />
)
