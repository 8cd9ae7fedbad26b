// What we add to the published list of nicknames (nicknames/names.csv), and what we leave out of it. ADR 29 has the reasons.

/** Short forms in use today that the published list lacks; it was made from genealogical records. A given name, then its short forms. */
export const ADDED = `
  Adelaide: Addie
  Albert: Bertie
  Alexander: Xander
  Alexandra: Lexi
  Alfred: Alf
  Andrea: Andie
  Antoinette: Toni, Nettie
  Barbara: Barb
  Benjamin: Benji
  Carolyn: Carol
  Catherine: Cate, Cat
  Charles: Chas
  Charlotte: Charlie
  Christopher: Topher
  Eleanor: Nell, Nellie
  Evelyn: Evie
  Isabella: Izzy
  Isabelle: Izzy
  Jeremy: Jerry
  Jerome: Jerry
  Katherine: Katie, Kat, Kitty
  Kathleen: Kate, Katie
  Kathryn: Kay
  Kristina: Kris, Tina
  Margaret: Greta
  Mildred: Millie
  Natalie: Nat
  Olivia: Liv, Livvy
  Rachel: Rach
  Robert: Robbie, Bert
  Roger: Rog
  Rosemary: Rosie
  Sharon: Shari
  Stanley: Stan
  Susan: Suzy
  Suzanne: Suzy
  Tamara: Tammy
  William: Liam
`;

/**
 * Short forms of one given name between which people change (Bob one day, Rob the next). The published list only says of
 * which names a short form is one, and two short forms of one name need not be those of one person: Daisy and Rita are
 * both Margaret. Hence these few, each line equal to one another.
 */
export const EXCHANGED = `
  Abby, Gail
  Al, Bert, Bertie
  Alex, Al, Sandy, Xander
  Alex, Sandra, Sandy, Lexi
  Al, Alf, Fred
  Ali, Allie
  Andy, Drew
  Toni, Nettie
  Barb, Barbie, Babs
  Ben, Benny, Benji
  Cathy, Cate, Cat
  Charlie, Chuck, Chas
  Charlie, Lottie
  Chris, Chrissy, Tina
  Chris, Chrissy, Tina
  Chris, Kit, Topher
  Dan, Danny
  Dave, Davey
  Don, Donny
  Dot, Dottie, Dolly
  Ed, Eddie, Ned
  Ed, Eddie, Ted, Teddy, Ned
  Ellie, Nell, Nellie, Nora
  Liz, Lizzie, Beth, Betty, Betsy, Eliza, Libby, Lisa, Bess
  Fred, Freddie, Rick
  Hal, Harry
  Hank, Harry, Hal
  Bella, Izzy
  Belle, Izzy
  Jim, Jimmy, Jamie
  Jen, Jenny
  Jack, Johnny
  Jo, Josie
  Kathy, Kate, Katie, Kay, Kat, Kitty
  Kathy, Kate, Katie
  Kathy, Kate, Katie, Kay
  Kris, Tina
  Leo, Len, Lenny
  Lou, Louie
  Maggie, Meg, Peggy, Marge, Margie, Greta, Peg
  Missy, Lissa
  Mike, Mick, Mickey
  Nick, Nicky
  Nicky, Nikki
  Liv, Livvy
  Pat, Patty, Trish, Tricia
  Pat, Paddy
  Becky, Becca
  Rick, Rich, Dick, Ricky, Richie
  Bob, Rob, Bobby, Robbie, Bert
  Sally, Sadie
  Sue, Susie, Suzy
  Sue, Suzy
  Terry, Tess
  Ted, Teddy, Theo
  Terry, Tess
  Vicky, Tori
  Vince, Vinny
  Bill, Will, Billy, Willie, Liam
`;

/**
 * What the published list calls a nickname although both are given names that two people of one household bear, who
 * share an e-mail address and a phone: mother and daughter, husband and wife. Not used.
 */
export const LEFT_OUT = `
  Aaron: Erin
  Adelaide: Adele
  Adelbert: Albert
  Adelphia: Adele
  Agnes: Inez
  Alexandria: Alexander
  Alice: Elsie, Lisa
  Alicia: Elsie, Lisa
  Aline: Adeline
  Almina: Minnie
  Amelia: Amy, Emily
  Amos: Moses
  Andrea: Andrew
  Angela: Angel
  Angelica: Angel
  Angelina: Angel
  Anna: Ann, Anne
  Anne: Ann
  Annette: Anna
  Annie: Ann, Anna
  Anselm: Selma
  Antoinette: Ann
  Antonia: Ann
  Aron: Erin
  Ashley: Leah
  Augustine: Austin
  Augustus: Austin
  Bill: Robert, Fred
  Billy: Robert, Fred
  Blanche: Bea
  Brian: Bryant
  Bryanna: Anna
  Carol: Kara, Kari, Lynn
  Caroline: Lynn
  Carolyn: Lynn
  Casper: Jasper
  Cassandra: Sandra
  Catherine: Lena
  Cathleen: Lena
  Charles: Carl
  Charlotte: Sherry
  Chick: Caroline, Charlotte
  Christiana: Ann
  Clara: Clarissa
  Clare: Clara
  Claire: Clara
  Clarence: Clair, Clare
  Clarinda: Clara
  Clementine: Clement
  Clifton: Tony
  Corinne: Cora
  Cornelius: Neil
  Corey: Ree
  Courtney: Curt
  Deanne: Ann
  Delores: Lola
  Demaris: Mary
  Demerias: Mary
  Derrick: Eric
  Dorinda: Dorothea
  Doris: Dora
  Dorothy: Dora
  Dorothea: Dora
  Earnest: Ernestine
  Edwina: Edwin
  Eileen: Helen
  Elaine: Helen
  Elbert: Albert
  Elbertson: Elbert
  Eleanor: Elaine, Ellen, Lenora
  Elena: Helen
  Ella: Ellen
  Ellen: Helen
  Ellender: Ellen, Helen
  Eloise: Heloise, Louise
  Elouise: Louise
  Emeline: Emily, Emma
  Emil: Emily
  Emily: Emma
  Ernestine: Ernest
  Erwin: Irwin
  Esther: Hester
  Eva: Eve
  Evaline: Eva
  Evelyn: Eve
  Evangeline: Evan
  Felicia: Felix
  Flora: Florence
  Frederica: Frederick, Erica, Erika
  Frederick: Derick, Erick
  Fredericka: Ericka
  Gabriella: Ella
  Gabrielle: Ella
  Gareth: Gary
  Garrett: Barrett, Gary
  Genevieve: Eve, Jean
  Georgiana: Georgia
  Georgine: George
  Gilbert: Wilber
  Gretchen: Margaret
  Gwen: Wendy
  Gwendolyn: Wendy
  Hannah: Anna
  Heather: Hetty
  Helen: Ella
  Helena: Aileen, Eileen, Elaine, Eleanor, Ellen
  Helene: Ella, Ellen
  Heloise: Elouise, Lois
  Hubert: Hugh
  Ian: John
  Ivan: John
  Jacqueline: Jack
  Jane: Jean, Jessie
  Janet: Jessie
  Jeanette: Janet, Jean, Jessie
  Jeanne: Jane
  Jennet: Jessie
  Jincy: Jane
  Jinsy: Jane
  Joan: Jo
  Joanna: Hannah, Joan
  Johannah: Hannah, Joan
  Johannes: Jonathan
  Johnathan: John, Nathan
  Johnathon: John
  Jonathan: John, Nathan
  Jonathon: John
  Joshua: Joe
  Joyce: Joy
  Juanita: Nettie
  Judith: Jude, Juda
  Julia: Jill
  Junior: June
  Justin: Justina, Justus
  Kenneth: Kendrick
  Kent: Kendrick
  Laurinda: Laura, Lawrence
  Leanne: Annie, Lea
  Lena: Ellen
  Leo: Leon
  Leonard: Leon
  Lionel: Leon
  Lois: Louise
  Louis: Louise
  Louisa: Eliza, Lois
  Louise: Eliza
  Lucia: Lucius
  Luella: Ella
  Luther: Luke
  Madeline: Lena, Maud
  Marcus: Mark
  Margaret: Daisy, Rita, Margery
  Margaretta: Daisy, Rita, Margery
  Margarita: Daisy, Rita, Megan
  Marian: Marianna, Marion
  Mariah: Mary
  Marie: Mary
  Marietta: Maria, Mariah, Marie, Marion, Mary, Maureen, May
  Marilyn: Mary
  Marion: Mary
  Marsha: Marcia, Mary
  Matilda: Maud
  Maureen: Mary
  Melissa: Lisa
  Michael: Micah
  Nancy: Ann
  Nicholette: Nicole
  Orlando: Roland
  Parmelia: Amelia
  Patrick: Peter
  Philipina: Phoebe
  Raphael: Ralph
  Reynold: Reginald
  Robert: Rupert
  Roderick: Erick
  Rodger: Bobby
  Roger: Bobby
  Rosa: Rose
  Rosabel: Rosa, Rose
  Rosabella: Bella, Rosa, Rose
  Rosaenn: Ann
  Rosaenna: Ann
  Rosalinda: Linda, Rosa, Rose
  Rosalyn: Linda, Rosa, Rose
  Roseann: Ann, Rose
  Roseanna: Ann, Rose
  Roseanne: Ann
  Rosemary: Marie, Mary
  Roxanna: Ann, Rose
  Roxanne: Ann, Rose
  Savannah: Anna
  Sheila: Cecilia
  Shirley: Lee, Sherry
  Solomon: Saul
  Sophronia: Sophia
  Stephanie: Annie
  Susan: Hannah
  Susannah: Hannah
  Theodosia: Theodosius
  Theresa: Tracy
  Veronica: Ron
  Virginia: Jane
  Will: Fred
  Willie: Fred
  Wilma: William
`;
