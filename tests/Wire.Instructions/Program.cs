using System.Globalization;
using Wire.Instructions;

// How many instructions an operation takes, counted by valgrind and compared with baseline.txt: see CONTRIBUTING.md.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
return args switch
{
    [] => Guard.Run(),
    [Callgrind.Count] => Counted.Run(),
    [Callgrind.Probe] => Counted.Probe(),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine("usage: Wire.Instructions");
    return 2;
}
