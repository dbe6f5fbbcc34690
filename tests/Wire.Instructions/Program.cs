using System.Globalization;
using Wire.Instructions;

// How many instructions an operation takes, counted by valgrind and compared with baseline.txt: see CONTRIBUTING.md.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
return args switch
{
    [] => Guard.Run(Environment.GetEnvironmentVariable("WIRE_INSTRUCTIONS_WRITE") == "1"),
    [Callgrind.Count] => Counted.Run(),
    [Callgrind.Probe] => Counted.Probe(),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine("usage: [WIRE_INSTRUCTIONS_WRITE=1] Wire.Instructions");
    return 2;
}
