import { useState } from 'react'
import { useClient, useMay, useRead } from '../../core/client/providers.tsx'
import { type Attachment, attach, type attachTargets } from '../../core/contract/common/attachment.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { keepFile, sizeText } from '../../core/engine/files/export-file.ts'
import { useFile } from '../../core/engine/files/use-file.ts'
import { dictText } from '../../core/i18n/plain.ts'
import { shortTime } from '../../core/rules/time.ts'
import { IconButton, Skeleton, Text } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { AttachmentViewer } from './attachment-viewer.tsx'
import sheet from './attachments.css?sheet'

const isPicture = ({ fileType, hidden }: Attachment) => fileType.startsWith('image/') && !hidden

/** The calls that the files of a record make. */
export const attachmentCalls = [attach.list, attach.save, attach.remove, upload.token, upload.file]

const Thumbnail = ({ file, open }: { file: Attachment; open: () => void }) => {
  const t = useText()
  const address = useFile(isPicture(file) ? file.uploadNo : null)
  if (!isPicture(file))
    return (
      <span className="mk-thumb">
        <Icon name={file.hidden ? 'lock' : 'rows'} size={24} />
      </span>
    )
  return (
    <button type="button" className="mk-thumb" aria-label={t('file.open', { name: file.fileName })} onClick={open}>
      {address === undefined && <Skeleton width="100%" height="100%" />}
      {address === null && <Icon name="warning" size={24} />}
      {address && <img src={address} alt="" />}
    </button>
  )
}

type Removing = { remove?: (file: Attachment) => void }

/** Downloads a file, and takes it away where nothing rests on it. */
const FileActions = ({ file, remove }: Removing & { file: Attachment }) => {
  const t = useText()
  const client = useClient()
  const may = useMay()
  const { uploadNo, fileName, kept } = file
  return (
    <span className="mk-attachment-actions">
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        m="0"
        aria-label={t('file.save', { name: fileName })}
        onClick={() =>
          void client.file(upload.file, { uploadNo }).then(
            blob => keepFile(blob, fileName),
            () => undefined,
          )
        }
      >
        <Icon name="download" />
      </IconButton>
      {remove && may.call(attach.remove) && kept !== 'others' && (
        <IconButton
          size="1"
          variant="ghost"
          color="gray"
          m="0"
          disabled={kept === 'evidence'}
          title={kept === 'evidence' ? t('errors.fileIsEvidence') : undefined}
          aria-label={t('file.remove', { name: fileName })}
          onClick={() => remove(file)}
        >
          <Icon name="trash" />
        </IconButton>
      )}
    </span>
  )
}

/** The files of a record: what each shows, who sent it and when. Pictures open in a viewer, documents are downloaded. */
export const Attachments = ({ list, remove }: Removing & { list: readonly Attachment[] }) => {
  useSheet(sheet)
  const t = useText()
  const [shown, setShown] = useState<number | null>(null)
  const pictures = list.filter(isPicture)
  return (
    <>
      <ul className="mk-attachments">
        {list.map(file => {
          const { attachNo, fileName, fileSize, attachType, hidden, uploadedByName, uploadedTime } = file
          return (
            <li key={attachNo}>
              <Thumbnail file={file} open={() => setShown(pictures.indexOf(file))} />
              <Text size="2" weight="medium">
                {dictText(t, 'ATTACH_TYPE', attachType)}
              </Text>
              <Text size="1" truncate title={fileName}>
                {hidden ? t('file.hidden') : fileName}
              </Text>
              <Text size="1" color="gray">
                {sizeText(fileSize)} · {uploadedByName} · {shortTime(uploadedTime)}
              </Text>
              {!hidden && <FileActions file={file} {...(remove ? { remove } : {})} />}
            </li>
          )
        })}
      </ul>
      {shown !== null && <AttachmentViewer files={pictures} first={shown} close={() => setShown(null)} />}
    </>
  )
}

/** The files of a record, read. */
export const useAttachments = (objectType: (typeof attachTargets)[number], objectNo: string) =>
  useRead(attach.list, { objectType, objectNo })
