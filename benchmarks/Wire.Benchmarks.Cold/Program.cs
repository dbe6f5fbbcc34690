using System.Globalization;
using Bench.Cold;

// Nothing but this is compiled in the processes that are measured, before what is measured.
if (args is ["--sample", string subject, string types, string rounds])
{
    Sample.Run(subject, int.Parse(types, CultureInfo.InvariantCulture), int.Parse(rounds, CultureInfo.InvariantCulture));
    return 0;
}

return ColdStarts.Run(args);
