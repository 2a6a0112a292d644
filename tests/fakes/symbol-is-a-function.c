/* fakes/symbol-is-a-function.c - the symbol is there, and something else. */
__attribute__((visibility("default"))) int pinfold_plugin(void);

int pinfold_plugin(void)
{
	return 1;
}
