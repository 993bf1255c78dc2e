import { useState } from 'react'
import { useHost } from '../core/element/context.ts'
import { copyValue } from '../core/element/copy.ts'
import { useText } from '../core/element/i18n.ts'
import { bootText } from '../core/i18n/boot.ts'
import { Button, Checkbox, Flex, Text } from '../core/ui/basics.ts'
import { Code } from '../core/ui/more.ts'

/** Prints the codes alone, from a page of their own. */
const print = (title: string, codes: readonly string[]) => {
  const page = window.open('', '_blank', 'width=480,height=640')
  if (!page) return
  page.document.title = title
  const list = page.document.createElement('pre')
  list.textContent = [title, '', ...codes].join('\n')
  page.document.body.append(list)
  page.print()
  page.close()
}

/** The codes that stand in for a lost authenticator, this once: nobody goes on before saying that they are kept. */
export const RecoveryCodes = ({ codes, kept }: { codes: readonly string[]; kept: () => void }) => {
  const t = useText()
  const { language } = useHost().props
  const [saved, setSaved] = useState(false)
  return (
    <Flex direction="column" gap="3">
      <Text size="2">{t('shell.authenticatorSave')}</Text>
      <ul className="mk-checklist" aria-label={t('fields.recoveryCodes')}>
        {codes.map(code => (
          <li key={code}>
            <Code size="3">{code}</Code>
          </li>
        ))}
      </ul>
      <Flex gap="2">
        <Button variant="soft" onClick={event => void copyValue(event.currentTarget, codes.join('\n'), language)}>
          {bootText(language, 'copy')}
        </Button>
        <Button variant="soft" onClick={() => print(t('fields.recoveryCodes'), codes)}>
          {t('shell.authenticatorPrint')}
        </Button>
      </Flex>
      <Text as="label" size="2">
        <Flex gap="2" align="center">
          <Checkbox checked={saved} onCheckedChange={value => setSaved(value === true)} />
          {t('shell.authenticatorSaved')}
        </Flex>
      </Text>
      <Flex justify="end">
        <Button disabled={!saved} onClick={kept}>
          {t('common.close')}
        </Button>
      </Flex>
    </Flex>
  )
}
