import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { languageCodes } from '../../../core/contract/language.ts'
import { type MenuItem, menu } from '../../../core/contract/user/menu.ts'
import { useText } from '../../../core/element/i18n.ts'
import { EntryName } from '../../../core/engine/menu-drawing.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

type Language = (typeof languageCodes.values)[number]
const names = { zh: 'menuName', en: 'menuNameEn', sw: 'menuNameSw' } as const
const styles = ['vertical', 'crosswise'] as const

/** Entries that somebody who has everything would see. */
const shownOf = (nodes: readonly MenuItem[]): MenuItem[] =>
  nodes.flatMap(node => {
    if (node.enabled !== 'enabled' || node.drift !== null || node.menuType === 'button') return []
    const childList = shownOf(node.childList)
    return node.menuType === 'catalog' && childList.length === 0 ? [] : [{ ...node, childList }]
  })

/** The menu in a language, under each other or side by side. */
const Preview = ({ nodes, language, style }: { nodes: readonly MenuItem[]; language: Language; style: string }) => (
  <Flex direction={style === 'vertical' ? 'column' : 'row'} gap="3" wrap="wrap" lang={language}>
    {nodes.map(node => (
      <section className="mk-section" key={node.menuNo}>
        <Text size="2" weight="medium">
          <EntryName name={node[names[language]]} icon={node.icon} />
        </Text>
        {node.childList.length > 0 && (
          <ul className="mk-refused">
            {node.childList.map(child => (
              <li key={child.menuNo}>
                <EntryName name={child[names[language]]} icon={child.icon} />
              </li>
            ))}
          </ul>
        )}
      </section>
    ))}
  </Flex>
)

/** How the menu looks, in each language and both styles. */
export const PreviewDialog = ({ close }: Pick<DialogProps<never>, 'close'>) => {
  const t = useText()
  const [language, setLanguage] = useState<Language>(t.language)
  const [style, setStyle] = useState<string>('vertical')
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('menu.preview')}
      footer={
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.close')}
        </Button>
      }
    >
      <Flex gap="3" mb="3">
        <SegmentedControl.Root size="1" value={language} onValueChange={next => setLanguage(next as Language)}>
          {languageCodes.values.map(one => (
            <SegmentedControl.Item key={one} value={one}>
              {one}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
        <SegmentedControl.Root size="1" value={style} onValueChange={setStyle}>
          {styles.map(one => (
            <SegmentedControl.Item key={one} value={one}>
              {t(`menu.${one}`)}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
      </Flex>
      <Loaded read={useRead(menu.tree, {})}>
        {({ list }) => <Preview nodes={shownOf(list)} language={language} style={style} />}
      </Loaded>
    </ModalDialog>
  )
}
