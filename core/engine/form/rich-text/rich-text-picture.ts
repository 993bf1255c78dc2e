import { Node } from '@tiptap/core'

/** Fetches a picture by the number of its upload; null where it cannot be had. */
export type LoadPicture = (uploadNo: string) => Promise<string | null>

/** A picture in rich text: known by its upload alone, with words for those who cannot see it. */
export const pictureNode = (load: LoadPicture) =>
  Node.create({
    name: 'picture',
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () => ({
      upload: {
        default: null,
        parseHTML: element => element.getAttribute('data-upload'),
        renderHTML: ({ upload }) => ({ 'data-upload': upload }),
      },
      alt: { default: '' },
    }),
    parseHTML: () => [{ tag: 'img[data-upload]' }],
    renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
    addNodeView:
      () =>
      ({ node }) => {
        const dom = document.createElement('img')
        const { upload, alt } = node.attrs as { upload: string; alt: string }
        dom.alt = alt
        void load(upload).then(address => {
          if (address) dom.src = address
        })
        return { dom }
      },
  })
