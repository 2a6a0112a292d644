module example.org/names

go 1.19

require github.com/google/uuid v1.6.0
