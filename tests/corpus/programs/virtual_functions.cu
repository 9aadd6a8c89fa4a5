// Virtual functions, called through pointers and references; objects ended and cast through base classes.
#include <cstdio>
#include <memory>
#include <vector>
#include <string>
#include <iostream>
struct Form {
    std::string name;
    explicit Form(const char *n) : name(n) {}
    virtual ~Form() { printf("~Form %s\n", name.c_str()); }
    virtual double area() const = 0;
    virtual void describe() const { printf("%s with area %.2f\n", name.c_str(), area()); }
};
struct Circle : Form {
    double r;
    Circle(double r) : Form("circle"), r(r) {}
    ~Circle() override { printf("~Circle\n"); }
    double area() const override { return 3.0 * r * r; }
};
class Square : public Form {
protected:
    double a;
public:
    Square(double a) : Form("square"), a(a) {}
    double area() const override { return a * a; }
    void describe() const override { printf("a square: "); Form::describe(); }
};
class Tile final : public Square {
    int count;
public:
    Tile(double a, int n) : Square(a), count(n) { name = "tile"; }
    double area() const override { return count * Square::area(); }
};
struct Named { virtual const char *label() { return "named"; } int tag = 7; virtual ~Named() {} };
struct Both : Circle, Named {
    Both() : Circle(2) {}
    const char *label() override { return name.c_str(); }
};
struct Op { virtual float apply(float x) const { return x; } };
struct Twice : Op { float apply(float x) const override { return 2 * x; } };
float use(const Op &op, float x) { return op.apply(x); }
int main() {
    Form *shapes[3] = {new Circle(1), new Square(2), new Tile(1, 5)};
    for (Form *s : shapes) s->describe();
    for (int i = 0; i < 3; ++i) delete shapes[i];
    std::vector<std::unique_ptr<Form>> owned;
    owned.push_back(std::make_unique<Circle>(3));
    owned.push_back(std::unique_ptr<Form>(new Tile(2, 2)));
    owned.emplace_back(new Square(1));
    double sum = 0;
    for (const auto &s : owned) sum += s->area();
    printf("%g\n", sum);
    Both both;
    Named &n = both;
    printf("%s %d\n", n.label(), n.tag);
    if (Circle *c = dynamic_cast<Circle *>(owned[0].get())) printf("circle %g\n", c->r);
    if (!dynamic_cast<Circle *>(owned[1].get())) printf("no circle\n");
    Twice t; Op plain;
    printf("%g %g\n", use(t, 4), use(plain, 4));
    Op sliced = t;
    printf("%g\n", use(sliced, 4));
    Named *heap = new Both;
    printf("%s\n", heap->label());
    delete heap;
    return 0;
}
