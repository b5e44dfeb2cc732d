#pragma once
#include <stddef.h>
void *malloc(size_t size);
void *realloc(void *old, size_t size);
void free(void *old);
#define abort() __builtin_trap()
