import type { ReactElement } from 'react'
import type { Listed, ListScreen } from '../core/engine/screen.ts'
import { widgets } from '../widgets/registry.ts'

const isList = (props: object): props is { screen: ListScreen<Listed> } =>
  'screen' in props && 'list' in (props.screen as object)

const made = await Promise.all(
  widgets.map(async ({ tag, load }) => {
    const { default: screen } = await load()
    const props = (screen.render() as ReactElement<object> | null)?.props ?? {}
    return isList(props) ? [{ tag, screen: props.screen }] : []
  }),
)
/** Screens that are one list, with what their staff see above it. Their sources hold style sheets: only a bundler reads this file. */
export const listScreens = made.flat()
