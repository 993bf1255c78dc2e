import type { ReactElement } from 'react'
import type { Listed, ListScreen, Screen } from '../core/engine/screen.ts'
import { widgets } from '../widgets/registry.ts'

type Props = { screen?: ListScreen<Listed>; tabs?: readonly { name: string; screen: Screen }[] }
type Found = { tag: string; screen: ListScreen<Listed> }

const listsOf = (tag: string, one: Screen): Found[] => {
  const { screen, tabs = [] } = (one.render() as ReactElement<Props> | null)?.props ?? {}
  const own = screen && 'list' in screen ? [{ tag, screen }] : []
  return [...own, ...tabs.flatMap(tab => listsOf(`${tag} ${tab.name}`, tab.screen))]
}

const made = await Promise.all(widgets.map(async ({ tag, load }) => listsOf(tag, (await load()).default)))
/** Lists that are a screen or a tab of one, with what their staff see above them. Their sources hold style sheets: only a bundler reads this file. */
export const listScreens = made.flat()
