import avif640 from '#app/pictures/mainboard-640.avif';
import webp640 from '#app/pictures/mainboard-640.webp';
import avif1000 from '#app/pictures/mainboard-1000.avif';
import webp1000 from '#app/pictures/mainboard-1000.webp';

/** Shown beside /login and the password forms. */
export const mainboardPicture = {
  avif: `${avif640} 640w, ${avif1000} 1000w`,
  webp: `${webp640} 640w, ${webp1000} 1000w`,
  src: webp640,
};
