import { useState } from 'react'
import type { Attachment } from '../../core/contract/common/attachment.ts'
import { useText } from '../../core/element/i18n.ts'
import { useFile } from '../../core/engine/files/use-file.ts'
import { Button, Flex, IconButton, Skeleton } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'

type Look = { zoom: number; turns: number }

/** A picture that is larger than its room is scrolled there. */
const enlarged = (zoom: number) => (zoom > 1 ? { width: `${zoom * 100}%`, maxWidth: 'none', maxHeight: 'none' } : {})

const Picture = ({ file, zoom, turns }: { file: Attachment } & Look) => {
  const address = useFile(file.uploadNo)
  return (
    <div className="mk-viewer-picture" role="region" aria-label={file.fileName} tabIndex={0}>
      {address === undefined && <Skeleton width="100%" height="320px" />}
      {address === null && <Icon name="warning" size={24} />}
      {address && <img src={address} alt={file.fileName} style={{ rotate: `${turns * 90}deg`, ...enlarged(zoom) }} />}
    </div>
  )
}

type OthersProps = { go: (step: number) => void; beside: boolean; setBeside: (beside: boolean) => void }

/** The way to the other pictures. */
const Others = ({ go, beside, setBeside }: OthersProps) => {
  const t = useText()
  return (
    <>
      <IconButton size="1" variant="surface" color="gray" aria-label={t('file.previous')} onClick={() => go(-1)}>
        <Icon name="chevronLeft" />
      </IconButton>
      <IconButton size="1" variant="surface" color="gray" aria-label={t('file.next')} onClick={() => go(1)}>
        <Icon name="chevronRight" />
      </IconButton>
      <Button
        size="1"
        variant={beside ? 'solid' : 'surface'}
        color="gray"
        aria-pressed={beside}
        onClick={() => setBeside(!beside)}
      >
        {t('file.beside')}
      </Button>
    </>
  )
}

type Props = { files: readonly Attachment[]; first: number; close: () => void }

/** Looks at pictures: enlarged, turned, two side by side. */
export const AttachmentViewer = ({ files, first, close }: Props) => {
  const t = useText()
  const [at, setAt] = useState(first)
  const [beside, setBeside] = useState(false)
  const [look, setLook] = useState<Look>({ zoom: 1, turns: 0 })
  const wrapped = (index: number) => (index + files.length) % files.length
  const file = files[at] as Attachment
  const next = files[wrapped(at + 1)] as Attachment
  const go = (step: number) => {
    setAt(wrapped(at + step))
    setLook({ zoom: 1, turns: 0 })
  }
  const zoom = (by: number) => setLook({ ...look, zoom: Math.min(6, Math.max(1, look.zoom * by)) })
  return (
    <ModalDialog open onClose={close} title={file.fileName}>
      <Flex gap="2" mb="2" wrap="wrap" align="center">
        <IconButton size="1" variant="surface" color="gray" aria-label={t('file.zoomIn')} onClick={() => zoom(1.5)}>
          <Icon name="plus" />
        </IconButton>
        <IconButton
          size="1"
          variant="surface"
          color="gray"
          aria-label={t('file.zoomOut')}
          onClick={() => zoom(1 / 1.5)}
        >
          <Icon name="minus" />
        </IconButton>
        <IconButton
          size="1"
          variant="surface"
          color="gray"
          aria-label={t('file.rotate')}
          onClick={() => setLook({ ...look, turns: look.turns + 1 })}
        >
          <Icon name="refresh" />
        </IconButton>
        {files.length > 1 && <Others go={go} beside={beside} setBeside={setBeside} />}
      </Flex>
      <div className="mk-viewer">
        <Picture key={file.uploadNo} file={file} {...look} />
        {beside && next !== file && <Picture key={next.uploadNo} file={next} zoom={1} turns={0} />}
      </div>
    </ModalDialog>
  )
}
