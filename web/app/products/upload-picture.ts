import { openUpload } from '@parts-forge/contract/images';
import { callShop } from '#app/calls/api-client.ts';
import { OfflineError, ShopProblem } from '#app/http/errors.ts';

/**
 * Sends a picture to the image host and gives its address (specification §7, "External services"): asks the
 * shop where to, then posts multipart field `image` with the key in the query string and reads `data.url`.
 * @param onProgress the share that is sent, from 0 to 1
 * @throws ShopProblem `too-large`, `wrong-kind`, `invalid` and the like; OfflineError when the host was not reached
 */
export async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<string> {
  const { url, key } = await callShop(openUpload, {});
  const form = new FormData();
  form.append('image', file, file.name);
  return postForm(`${url}?key=${encodeURIComponent(key)}`, form, onProgress);
}

/** By XMLHttpRequest: `fetch` does not say how much is sent. */
function postForm(address: string, form: FormData, onProgress: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.responseType = 'json';
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onerror = () => reject(new OfflineError());
    request.onload = () => {
      const pictureUrl = readPictureUrl(request.response);
      if (request.status >= 200 && request.status < 300 && pictureUrl !== null) resolve(pictureUrl);
      else {
        const headers = { get: (name: string) => request.getResponseHeader(name) };
        reject(new ShopProblem(request.status, request.response, headers));
      }
    };
    request.send(form);
  });
}

/** The hosted service and ours answer alike: `{ data: { url } }`. */
function readPictureUrl(body: unknown): string | null {
  const url = (body as { data?: { url?: unknown } } | null)?.data?.url;
  return typeof url === 'string' ? url : null;
}
