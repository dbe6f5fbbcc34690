using System.Globalization;
using Quickstart;

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

try
{
    bool messagesEqual = Messages.RoundTrip();
    bool documentsRight = Documents.Show() && Into.Show();
    bool filterRight = Filtering.RoundTrip();
    bool customEqual = Customizing.RoundTrip();
    bool optionsEqual = OptionSets.RoundTrip();
    bool contextsRight = Contexts.RoundTrip();
    bool wrapped = Wrapping.RoundTrip();
    bool guideDone = await Guide.RunAsync();
    bool isRight = messagesEqual && documentsRight && filterRight && customEqual && optionsEqual && contextsRight && wrapped && guideDone;
#if !NATIVE
    Console.WriteLine();
    isRight &= RealData.RoundTrip();
#endif
    return isRight ? 0 : 1;
}
catch (Exception failure)
{
    // Left unhandled, it would end the process before the temporary file is deleted.
    Console.Error.WriteLine(failure);
    return 1;
}
