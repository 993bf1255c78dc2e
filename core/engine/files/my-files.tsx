import type { ReactNode } from 'react'
import { CallError } from '../../client/errors.ts'
import { useText } from '../../element/i18n.ts'
import { Button, Flex, Text } from '../../ui/basics.ts'
import { ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'

type LineProps = {
  fileName: string
  status: ReactNode
  /** Buttons, at the right end. */
  actions: ReactNode
  /** How far it is, or what there is to say of it. */
  children: ReactNode
}

/** One file that was written for the reader or brought by them. */
export const FileLine = ({ fileName, status, actions, children }: LineProps) => (
  <li>
    <Flex align="center" gap="2" mb="1">
      <Text size="2" weight="medium" className="mk-export-name" title={fileName}>
        {fileName}
      </Text>
      {status}
      <Flex ml="auto" gap="2" flexShrink="0">
        {actions}
      </Flex>
    </Flex>
    {children}
  </li>
)

/** What there is to say of a file, in one line. */
export const FileWords = ({ said }: { said: readonly string[] }) => (
  <Text size="1" color="gray">
    {said.join(' · ')}
  </Text>
)

type EntriesProps<Row> = {
  read: { data: { list: readonly Row[] } | undefined; error: unknown; retry: () => Promise<unknown> }
  /** What is said where there is none. */
  none: { title: string; hint: string }
  children: (row: Row) => ReactNode
}

/** A line for each file, the newest first. */
export const FileEntries = <Row,>({ read: { data, error, retry }, none, children }: EntriesProps<Row>) => {
  const t = useText()
  if (data === undefined)
    return error ? (
      <Failed
        message={error instanceof CallError ? error.message : t('common.noConnection')}
        onRetry={() => void retry()}
      />
    ) : (
      <Loading rows={4} />
    )
  if (data.list.length === 0) return <Empty {...none} />
  return <ul className="mk-exports">{data.list.map(children)}</ul>
}

type DialogProps = { title: string; description: string; close: () => void; children: ReactNode }

/** The lines in a dialog, opened from a list. */
export const FilesDialog = ({ title, description, close, children }: DialogProps) => {
  const t = useText()
  return (
    <ModalDialog
      open
      onClose={close}
      title={title}
      description={description}
      footer={
        <Button variant="soft" color="gray" onClick={close}>
          {t('common.close')}
        </Button>
      }
    >
      {children}
    </ModalDialog>
  )
}
