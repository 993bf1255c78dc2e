import { useEffect, useRef, useState } from 'react'
import { useHost } from '../../element/context.ts'
import { copyValue } from '../../element/copy.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { bootText } from '../../i18n/boot.ts'
import { Button, Checkbox, Flex, Text } from '../../ui/basics.ts'
import { Code } from '../../ui/more.ts'
import sheet from './own-access.css?sheet'

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

/** The recovery codes, shown once: the person must confirm that they are kept before going on. */
export const RecoveryCodes = ({ codes, kept, go }: { codes: readonly string[]; kept: () => void; go?: string }) => {
  useSheet(sheet)
  const t = useText()
  const { language } = useHost().props
  const [saved, setSaved] = useState(false)
  const words = useRef<HTMLParagraphElement>(null)
  // The field of the step before is gone: readers go on with what these codes are for.
  useEffect(() => words.current?.focus(), [])
  return (
    <Flex direction="column" gap="3" mt="4">
      <Text as="p" size="2" ref={words} tabIndex={-1} style={{ outline: 'none' }}>
        {t('shell.authenticatorSave')}
      </Text>
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
          {go ?? t('common.close')}
        </Button>
      </Flex>
    </Flex>
  )
}
