import { useState } from 'react'
import { CallError } from '../../core/client/errors.ts'
import { useClient } from '../../core/client/providers.tsx'
import { exports } from '../../core/contract/common/exports.ts'
import { imports } from '../../core/contract/common/imports.ts'
import type { MessageRow } from '../../core/contract/portal/message.ts'
import { useText } from '../../core/element/i18n.ts'
import { keepFile } from '../../core/engine/files/export-file.ts'
import { useToast } from '../../core/engine/form/use-act.ts'
import { shortTime } from '../../core/rules/time.ts'
import { Button, Flex, Text } from '../../core/ui/basics.ts'

type Props = { row: MessageRow; taken: () => void }

/** The file that a message is about: fetched from here while it is kept. */
export const NoticeFile = ({ row: { file, title, objectType, objectNo }, taken }: Props) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const [fetching, setFetching] = useState(false)
  if (!file) return null
  const download = async () => {
    setFetching(true)
    try {
      const blob =
        objectType === 'import'
          ? await client.file(imports.file, { importNo: objectNo })
          : await client.file(exports.file, { exportNo: objectNo })
      keepFile(blob, file.fileName)
      taken()
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    } finally {
      setFetching(false)
    }
  }
  return (
    <Flex align="center" gap="2" mt="1">
      <Button
        size="1"
        variant="soft"
        loading={fetching}
        aria-label={`${t('actions.download')}: ${title}`}
        onClick={() => void download()}
      >
        {t('actions.download')}
      </Button>
      <Text size="1" color="gray">
        {t('common.keptUntil', { time: shortTime(file.expireTime) })}
      </Text>
    </Flex>
  )
}
