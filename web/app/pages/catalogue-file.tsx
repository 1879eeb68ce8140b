export { CatalogueFile as default } from '#app/stock/catalogue-file.tsx';
